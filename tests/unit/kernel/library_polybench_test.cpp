// SPDX-License-Identifier: Apache-2.0

// PolyBench's kernels against loops written from their definitions.

#include <gtest/gtest.h>

#include <utility>

#include "unit/kernel/library_check.h"

namespace gridloom::kernel {
namespace {

using Index = Evaluated::Index;

TEST(PolyBench, Gemm) {
  const Evaluated e("polybench/pb_gemm", {{"NI", 4}, {"NJ", 5}, {"NK", 6}});
  e.expect("C", [&](const Index& x) {
    return 1.2 * e("C0", x[0], x[1]) +
           1.5 * sumOf(6, [&](auto k) { return e("A", x[0], k) * e("B", k, x[1]); });
  });
}

TEST(PolyBench, TwoMm) {
  const Evaluated e("polybench/two_mm", {{"NI", 4}, {"NJ", 5}, {"NK", 6}, {"NL", 3}});
  const auto t = [&](auto i, auto j) {
    return sumOf(6, [&](auto k) { return e("A", i, k) * e("B", k, j); });
  };
  e.expect("D", [&](const Index& x) {
    return 1.2 * e("D0", x[0], x[1]) +
           1.5 * sumOf(5, [&](auto j) { return t(x[0], j) * e("C", j, x[1]); });
  });
}

TEST(PolyBench, ThreeMm) {
  const Evaluated e("polybench/three_mm", {{"NI", 4}, {"NJ", 5}, {"NK", 6}, {"NL", 3}, {"NM", 2}});
  const auto ab = [&](auto i, auto j) {
    return sumOf(6, [&](auto k) { return e("A", i, k) * e("B", k, j); });
  };
  const auto cd = [&](auto j, auto l) {
    return sumOf(2, [&](auto m) { return e("C", j, m) * e("D", m, l); });
  };
  e.expect("G", [&](const Index& x) {
    return sumOf(5, [&](auto j) { return ab(x[0], j) * cd(j, x[1]); });
  });
}

TEST(PolyBench, Atax) {
  const Evaluated e("polybench/atax", {{"M", 4}, {"N", 5}});
  e.expect("y", [&](const Index& x) {
    return sumOf(4, [&](auto i) {
      return e("A", i, x[0]) * sumOf(5, [&](auto j) { return e("A", i, j) * e("x", j); });
    });
  });
}

TEST(PolyBench, Doitgen) {
  const Evaluated e("polybench/doitgen", {{"NR", 2}, {"NQ", 3}, {"NP", 4}});
  e.expect("B", [&](const Index& x) {
    return sumOf(4, [&](auto s) { return e("A", x[0], x[1], s) * e("C4", s, x[2]); });
  });
}

TEST(PolyBench, Mvt) {
  const Evaluated e("polybench/mvt", {{"N", 5}});
  e.expect("z1", [&](const Index& x) {
    return e("x1", x[0]) + sumOf(5, [&](auto j) { return e("A", x[0], j) * e("y1", j); });
  });
  e.expect("z2", [&](const Index& x) {
    return e("x2", x[0]) + sumOf(5, [&](auto j) { return e("A", j, x[0]) * e("y2", j); });
  });
}

TEST(PolyBench, Gemver) {
  const Evaluated e("polybench/gemver", {{"N", 5}});
  const auto b = [&](auto i, auto j) {
    return e("A", i, j) + e("u1", i) * e("v1", j) + e("u2", i) * e("v2", j);
  };
  const auto x = [&](auto j) {
    return e("z", j) + 1.2 * sumOf(5, [&](auto i) { return b(i, j) * e("y", i); });
  };
  e.expect("w", [&](const Index& at) {
    return 1.5 * sumOf(5, [&](auto j) { return b(at[0], j) * x(j); });
  });
}

TEST(PolyBench, Gesummv) {
  const Evaluated e("polybench/gesummv", {{"N", 5}});
  e.expect("y", [&](const Index& x) {
    return sumOf(
        5, [&](auto j) { return (1.5 * e("A", x[0], j) + 1.2 * e("B", x[0], j)) * e("x", j); });
  });
}

TEST(PolyBench, Symm) {
  const Evaluated e("polybench/symm", {{"M", 4}, {"N", 5}});
  e.expect("C", [&](const Index& x) {
    return 1.2 * e("C0", x[0], x[1]) +
           1.5 * sumOf(4, [&](auto k) {
             return e("A", std::max(x[0], k), std::min(x[0], k)) * e("B", k, x[1]);
           });
  });
}

TEST(PolyBench, Syrk) {
  const Evaluated e("polybench/syrk", {{"M", 4}, {"N", 5}});
  e.expect("C", [&](const Index& x) {
    if (x[1] > x[0]) return e("C0", x[0], x[1]);
    return 1.2 * e("C0", x[0], x[1]) +
           1.5 * sumOf(4, [&](auto k) { return e("A", x[0], k) * e("A", x[1], k); });
  });
}

TEST(PolyBench, Syr2k) {
  const Evaluated e("polybench/syr2k", {{"M", 4}, {"N", 5}});
  e.expect("C", [&](const Index& x) {
    if (x[1] > x[0]) return e("C0", x[0], x[1]);
    return 1.2 * e("C0", x[0], x[1]) + 1.5 * sumOf(4, [&](auto k) {
                                         return e("A", x[1], k) * e("B", x[0], k) +
                                                e("B", x[1], k) * e("A", x[0], k);
                                       });
  });
}

TEST(PolyBench, Trmm) {
  const Evaluated e("polybench/trmm", {{"M", 4}, {"N", 5}});
  e.expect("C", [&](const Index& x) {
    return 1.5 * sumOf(4, [&](auto k) {
             return k < x[0] ? 0 : (k == x[0] ? 1 : e("A", k, x[0])) * e("B", k, x[1]);
           });
  });
}

TEST(PolyBench, Trisolv) {
  const Evaluated e("polybench/trisolv", {{"N", 6}});
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(sumOf(i + 1, [&](auto j) { return e("L", i, j) * e("x", j); }), e("b", i), 1e-9);
  }
}

TEST(PolyBench, Lu) {
  const Evaluated e("polybench/lu", {{"N", 6}});
  e.expect("A", [&](const Index& x) {
    return sumOf(6, [&](auto k) { return e("L", x[0], k) * e("U", x[1], k); });
  });
  for (std::int64_t i = 0; i < 6; ++i) {
    for (std::int64_t j = i; j < 6; ++j) {
      EXPECT_EQ(e("L", i, j), i == j ? 1 : 0);
      EXPECT_EQ(j > i ? e("U", i, j) : 0, 0);
    }
  }
}

double meanOf(const Evaluated& e, std::int64_t column) {
  return sumOf(6, [&](auto k) { return e("X", k, column); }) / 6;
}

double covarianceOf(const Evaluated& e, std::int64_t i, std::int64_t j) {
  return sumOf(
      6, [&](auto k) { return (e("X", k, i) - meanOf(e, i)) * (e("X", k, j) - meanOf(e, j)); });
}

TEST(PolyBench, Covariance) {
  const Evaluated e("polybench/covariance", {{"N", 6}, {"M", 4}});
  e.expect("C", [&](const Index& x) { return covarianceOf(e, x[0], x[1]) / 5; });
}

TEST(PolyBench, Correlation) {
  const Evaluated e("polybench/correlation", {{"N", 6}, {"M", 4}});
  e.expect("C", [&](const Index& x) {
    return covarianceOf(e, x[0], x[1]) /
           std::sqrt(covarianceOf(e, x[0], x[0]) * covarianceOf(e, x[1], x[1]));
  });
}

TEST(PolyBench, Jacobi1d) {
  const Evaluated e("polybench/jacobi_1d", {{"T", 4}, {"N", 7}});
  e.expect("X", [&](const Index& x) {
    if (x[0] == 0 || x[1] == 0 || x[1] == 6) return e("A", x[1]);
    return 0.33333 * sumOf(3, [&](auto d) { return e("X", x[0] - 1, x[1] + d - 1); });
  });
}

TEST(PolyBench, Heat3d) {
  const Evaluated e("polybench/heat_3d", {{"N", 3}});
  e.expect("B", [&](const Index& x) {
    const double centre = e("A", x[0] + 1, x[1] + 1, x[2] + 1);
    double sum = centre;
    for (std::size_t d = 0; d < 3; ++d) {
      Index low = {x[0] + 1, x[1] + 1, x[2] + 1};
      Index high = low;
      --low[d];
      ++high[d];
      sum +=
          0.125 * (e("A", low[0], low[1], low[2]) - 2 * centre + e("A", high[0], high[1], high[2]));
    }
    return sum;
  });
}

TEST(PolyBench, DericheRows) {
  const Evaluated e("polybench/deriche_rows", {{"H", 2}, {"W", 7}});
  for (std::int64_t i = 0; i < 2; ++i) {
    double y[7] = {}, x1 = 0, y1 = 0, y2 = 0;
    for (std::int64_t j = 0; j < 7; ++j) {
      y[j] = 0.18 * e("X", i, j) - 0.13 * x1 + 1.5 * y1 - 0.6 * y2;
      x1 = e("X", i, j);
      y2 = std::exchange(y1, y[j]);
    }
    x1 = y1 = y2 = 0;
    double x2 = 0;
    for (std::int64_t j = 6; j >= 0; --j) {
      const double back = 0.16 * x1 - 0.11 * x2 + 1.5 * y1 - 0.6 * y2;
      x2 = std::exchange(x1, e("X", i, j));
      y2 = std::exchange(y1, back);
      EXPECT_NEAR(e("Y", i, j), y[j] + back, 1e-9);
    }
  }
}

TEST(PolyBench, Bicg) {
  const Evaluated e("polybench/bicg", {{"M", 4}, {"N", 5}});
  e.expect("s", [&](const Index& x) {
    return sumOf(5, [&](auto i) { return e("r", i) * e("A", i, x[0]); });
  });
  e.expect("q", [&](const Index& x) {
    return sumOf(4, [&](auto j) { return e("A", x[0], j) * e("p", j); });
  });
}

// The solution of the symmetric Toeplitz system whose first row is 1, R[0], R[1], ...
TEST(PolyBench, Durbin) {
  const Evaluated e("polybench/durbin", {{"N", 5}});
  for (std::int64_t i = 0; i < 5; ++i) {
    const double row = sumOf(
        5, [&](auto j) { return (i == j ? 1 : e("R", std::abs(i - j) - 1)) * e("Y", 4 - j); });
    EXPECT_NEAR(row, -e("R", 4 - i), 1e-9);
  }
}

TEST(PolyBench, GramSchmidt) {
  const Evaluated e("polybench/gramschmidt", {{"M", 6}, {"N", 4}});
  e.expect("A", [&](const Index& x) {
    return sumOf(4, [&](auto k) { return e("Q", x[0], k) * e("R", k, x[1]); });
  });
  for (std::int64_t k = 0; k < 4; ++k) {
    for (std::int64_t l = 0; l <= k; ++l) {
      EXPECT_NEAR(sumOf(6, [&](auto i) { return e("Q", i, k) * e("Q", i, l); }), k == l ? 1 : 0,
                  1e-9);
    }
  }
}

TEST(PolyBench, Ludcmp) {
  const Evaluated e("polybench/ludcmp", {{"N", 5}});
  const auto y = [&](auto i) {
    return sumOf(5 - i, [&](auto d) { return e("U", i + d, i) * e("X", i + d); });
  };
  for (std::int64_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(y(i) + sumOf(i, [&](auto j) { return e("L", i, j) * y(j); }), e("b", i), 1e-9);
  }
}

TEST(PolyBench, FloydWarshall) {
  const Evaluated e("polybench/floyd_warshall", {{"N", 6}},
                    {{"W", [](double v) { return std::floor(5 + 4 * v); }}});
  std::vector<double> d;
  for (std::int64_t n = 0; n < 36; ++n) d.push_back(e("W", n / 6, n % 6));
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t n = 0; n < 36; ++n) {
      d[n] = std::min(d[n], d[n / 6 * 6 + k] + d[k * 6 + n % 6]);
    }
  }
  e.expect("P", [&](const Index& x) { return d[static_cast<std::size_t>(x[0] * 6 + x[1])]; });
}

TEST(PolyBench, Seidel2d) {
  const Evaluated e("polybench/seidel_2d", {{"N", 6}});
  std::vector<double> x;
  for (std::int64_t n = 0; n < 36; ++n) x.push_back(e("A", n / 6, n % 6));
  for (std::size_t i = 1; i < 5; ++i) {
    for (std::size_t j = 1; j < 5; ++j) {
      double sum = 0;
      for (std::size_t n = 0; n < 9; ++n) sum += x[(i + n / 3 - 1) * 6 + j + n % 3 - 1];
      x[i * 6 + j] = sum / 9;
    }
  }
  e.expect("X", [&](const Index& at) { return x[static_cast<std::size_t>(at[0] * 6 + at[1])]; });
}

using Field = std::vector<std::vector<double>>;

Field fieldOf(const Evaluated& e, const char* tensor, std::size_t rows, std::size_t columns) {
  Field field(rows, std::vector<double>(columns));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) field[i][j] = e(tensor, i, j);
  }
  return field;
}

TEST(PolyBench, Fdtd2d) {
  const Evaluated e("polybench/fdtd_2d", {{"T", 4}, {"M", 4}, {"N", 5}});
  Field ex = fieldOf(e, "EX", 4, 5), ey = fieldOf(e, "EY", 4, 5), hz = fieldOf(e, "HZ", 4, 5);
  for (std::size_t t = 1; t < 4; ++t) {
    for (std::size_t j = 0; j < 5; ++j) ey[0][j] = e("F", t);
    for (std::size_t n = 5; n < 20; ++n) {
      ey[n / 5][n % 5] -= 0.5 * (hz[n / 5][n % 5] - hz[n / 5 - 1][n % 5]);
    }
    for (std::size_t n = 0; n < 20; ++n) {
      if (n % 5 > 0) ex[n / 5][n % 5] -= 0.5 * (hz[n / 5][n % 5] - hz[n / 5][n % 5 - 1]);
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
      }
    }
  }
  e.expect("Z", [&](const Index& x) {
    return hz[static_cast<std::size_t>(x[0])][static_cast<std::size_t>(x[1])];
  });
}

TEST(PolyBench, Nussinov) {
  const Evaluated e("polybench/nussinov", {{"N", 9}},
                    {{"S", [](double v) { return std::floor(2 + 2 * v); }}});
  Field best(9, std::vector<double>(9, 0));
  for (std::size_t d = 1; d < 9; ++d) {
    for (std::size_t i = 0; i + d < 9; ++i) {
      const std::size_t j = i + d;
      const double pair = e("S", i) + e("S", j) == 3 ? 1 : 0;
      best[i][j] = (d > 1 ? best[i + 1][j - 1] : 0) + pair;
      for (std::size_t k = i; k < j; ++k) {
        best[i][j] = std::max(best[i][j], best[i][k] + best[k + 1][j]);
      }
    }
  }
  e.expect("B", [&](const Index& x) { return best[0][static_cast<std::size_t>(x[0])]; });
}

// Solves along the second index of `u` transposed, as adi does down columns.
Field sweep(const Field& u) {
  const std::size_t n = u.size();
  Field v = u;
  for (std::size_t i = 1; i + 1 < n; ++i) {
    std::vector<double> p(n, 0), q(n, 1);
    v[0][i] = v[n - 1][i] = 1;
    for (std::size_t j = 1; j + 1 < n; ++j) {
      const double d = 2 - 0.5 * p[j - 1];
      p[j] = 0.5 / d;
      q[j] = (0.4 * u[j][i - 1] + 0.2 * u[j][i] + 0.4 * u[j][i + 1] + 0.5 * q[j - 1]) / d;
    }
    for (std::size_t j = n - 2; j > 0; --j) v[j][i] = p[j] * v[j + 1][i] + q[j];
  }
  return v;
}

TEST(PolyBench, Adi) {
  const Evaluated e("polybench/adi", {{"N", 6}});
  const Field columns = sweep(fieldOf(e, "U", 6, 6));
  Field turned = columns;
  for (std::size_t n = 0; n < 36; ++n) turned[n % 6][n / 6] = columns[n / 6][n % 6];
  const Field rows = sweep(turned);
  e.expect("X", [&](const Index& x) {
    const auto i = static_cast<std::size_t>(x[0]), j = static_cast<std::size_t>(x[1]);
    return i == 0 || i == 5 ? e("U", i, j) : rows[j][i];
  });
}

}  // namespace
}  // namespace gridloom::kernel
