// SPDX-License-Identifier: Apache-2.0

// Kernels of image processing against loops written from their definitions.

#include <gtest/gtest.h>

#include "unit/kernel/library_check.h"

namespace gridloom::kernel {
namespace {

using Index = Evaluated::Index;

/// Sum over three by three positions.
double sumOf9(const std::function<double(std::int64_t, std::int64_t)>& value) {
  return sumOf(9, [&](auto k) { return value(k / 3, k % 3); });
}

TEST(VisionKernels, DepthwiseConv2d) {
  const Evaluated e("vision/depthwise_conv2d", {{"N", 2}, {"C", 3}, {"H", 6}, {"W", 5}});
  e.expect("O", [&](const Index& x) {
    return sumOf9([&](auto r, auto s) {
      return e("I", x[0], x[1], x[2] + r, x[3] + s) * e("K", x[1], r, s);
    });
  });
}

TEST(VisionKernels, PointwiseConv2d) {
  const Evaluated e("vision/pointwise_conv2d", {{"N", 2}, {"C", 3}, {"F", 4}, {"P", 2}, {"Q", 3}});
  e.expect("O", [&](const Index& x) {
    return sumOf(3, [&](auto c) { return e("I", x[0], c, x[2], x[3]) * e("K", x[1], c); });
  });
}

TEST(VisionKernels, Conv2dSame) {
  const Evaluated e("vision/conv2d_same", {{"N", 2}, {"C", 2}, {"H", 4}, {"W", 5}, {"F", 3}});
  e.expect("O", [&](const Index& x) {
    return sumOf(2, [&](auto c) {
      return sumOf9([&](auto r, auto s) {
        return e.padded("I", x[0], c, x[2] + r - 1, x[3] + s - 1) * e("K", x[1], c, r, s);
      });
    });
  });
}

TEST(VisionKernels, Conv2dStrided) {
  const Evaluated e("vision/conv2d_strided", {{"N", 2}, {"C", 2}, {"F", 3}, {"P", 3}, {"Q", 2}});
  e.expect("O", [&](const Index& x) {
    return sumOf(2, [&](auto c) {
      return sumOf9([&](auto r, auto s) {
        return e("I", x[0], c, 2 * x[2] + r, 2 * x[3] + s) * e("K", x[1], c, r, s);
      });
    });
  });
}

TEST(VisionKernels, Conv2dDilated) {
  const Evaluated e("vision/conv2d_dilated", {{"N", 2}, {"C", 2}, {"F", 3}, {"P", 3}, {"Q", 2}});
  e.expect("O", [&](const Index& x) {
    return sumOf(2, [&](auto c) {
      return sumOf9([&](auto r, auto s) {
        return e("I", x[0], c, x[2] + 2 * r, x[3] + 2 * s) * e("K", x[1], c, r, s);
      });
    });
  });
}

TEST(VisionKernels, Conv2dGrouped) {
  const Evaluated e("vision/conv2d_grouped",
                    {{"N", 2}, {"G", 2}, {"C", 2}, {"F", 3}, {"H", 5}, {"W", 4}});
  e.expect("O", [&](const Index& x) {
    return sumOf(2, [&](auto c) {
      return sumOf9([&](auto r, auto s) {
        return e("I", x[0], x[1], c, x[3] + r, x[4] + s) * e("K", x[1], x[2], c, r, s);
      });
    });
  });
}

TEST(VisionKernels, Conv1dCausal) {
  const Evaluated e("vision/conv1d_causal", {{"L", 6}, {"D", 3}, {"R", 4}});
  e.expect("Y", [&](const Index& x) {
    return sumOf(4, [&](auto r) { return e.padded("X", x[0] - r, x[1]) * e("K", r, x[1]); });
  });
}

TEST(VisionKernels, Conv2dTransposed) {
  const Evaluated e("vision/conv2d_transposed", {{"N", 2}, {"C", 3}, {"F", 2}, {"H", 3}, {"W", 2}});
  e.expect("O", [&](const Index& x) {
    return sumOf(3, [&](auto c) {
      return e("I", x[0], c, x[2] / 2, x[3] / 2) * e("K", x[1], c, x[2] % 2, x[3] % 2);
    });
  });
}

TEST(VisionKernels, Conv3d) {
  const Evaluated e("vision/conv3d", {{"N", 1}, {"C", 2}, {"D", 4}, {"H", 4}, {"W", 5}, {"F", 2}});
  e.expect("Y", [&](const Index& x) {
    return sumOf(6, [&](auto ct) {
      const auto c = ct / 3, t = ct % 3;
      return sumOf9([&](auto r, auto s) {
        return e("I", x[0], c, x[2] + t, x[3] + r, x[4] + s) * e("K", x[1], c, t, r, s);
      });
    });
  });
}

TEST(VisionKernels, Pools) {
  const Evaluated most("vision/max_pool", {{"N", 2}, {"C", 2}, {"P", 3}, {"Q", 2}});
  most.expect("O", [&](const Index& x) {
    return maxOf(4,
                 [&](auto k) { return most("I", x[0], x[1], 2 * x[2] + k / 2, 2 * x[3] + k % 2); });
  });
  const Evaluated mean("vision/avg_pool", {{"N", 2}, {"C", 2}, {"P", 3}, {"Q", 2}});
  mean.expect("O", [&](const Index& x) {
    return sumOf9(
               [&](auto r, auto s) { return mean("I", x[0], x[1], 2 * x[2] + r, 2 * x[3] + s); }) /
           9;
  });
  const Evaluated all("vision/global_pool", {{"N", 2}, {"C", 3}, {"H", 4}, {"W", 5}});
  all.expect("O", [&](const Index& x) {
    return sumOf(20, [&](auto k) { return all("I", x[0], x[1], k / 5, k % 5); }) / 20;
  });
}

TEST(VisionKernels, BatchNormRelu) {
  const Evaluated e("vision/batchnorm_relu", {{"N", 2}, {"C", 3}, {"H", 2}, {"W", 4}});
  e.expect("O", [&](const Index& x) {
    const double scale = e("G", x[1]) / std::sqrt(e("variance", x[1]) + 1e-5);
    return std::max(0.0, (e("I", x[0], x[1], x[2], x[3]) - e("mean", x[1])) * scale + e("B", x[1]));
  });
}

TEST(VisionKernels, GroupNorm) {
  const Evaluated e("vision/groupnorm", {{"N", 2}, {"G", 3}, {"C", 2}, {"P", 4}});
  e.expect("O", [&](const Index& x) {
    const auto at = [&](auto k) { return e("I", x[0], x[1], k / 4, k % 4); };
    const double mean = sumOf(8, at) / 8;
    const double var = sumOf(8, [&](auto k) { return std::pow(at(k) - mean, 2); }) / 8;
    return (e("I", x[0], x[1], x[2], x[3]) - mean) / std::sqrt(var + 1e-5);
  });
}

TEST(VisionKernels, Rearrangements) {
  const Evaluated up("vision/upsample_nearest", {{"N", 2}, {"C", 2}, {"H", 3}, {"W", 2}});
  up.expect("O", [&](const Index& x) { return up("I", x[0], x[1], x[2] / 2, x[3] / 2); });
  const Evaluated shuffle("vision/pixel_shuffle", {{"N", 2}, {"C", 2}, {"H", 3}, {"W", 2}});
  shuffle.expect("O", [&](const Index& x) {
    return shuffle("I", x[0], 4 * x[1] + 2 * (x[2] % 2) + x[3] % 2, x[2] / 2, x[3] / 2);
  });
  const Evaluated flip("vision/horizontal_flip", {{"N", 2}, {"C", 2}, {"H", 3}, {"W", 5}});
  flip.expect("O", [&](const Index& x) { return flip("I", x[0], x[1], x[2], 4 - x[3]); });
}

TEST(VisionKernels, PatchEmbed) {
  const Evaluated e("vision/patch_embed", {{"N", 2}, {"C", 2}, {"P", 2}, {"Q", 3}, {"F", 4}});
  e.expect("O", [&](const Index& x) {
    return sumOf(2 * 256, [&](auto k) {
      const auto c = k / 256, r = k / 16 % 16, s = k % 16;
      return e("I", x[0], c, 16 * x[1] + r, 16 * x[2] + s) * e("K", x[3], c, r, s);
    });
  });
}

TEST(VisionKernels, Filters) {
  const Evaluated blur("vision/gaussian_blur", {{"H", 4}, {"W", 5}});
  const auto weight = [](auto k) { return k == 1 ? 2 : 1; };
  blur.expect("O", [&](const Index& x) {
    return sumOf9([&](auto r, auto s) {
             return weight(r) * weight(s) * blur("I", x[0] + r, x[1] + s);
           }) /
           16;
  });
  const Evaluated sobel("vision/sobel", {{"H", 4}, {"W", 5}});
  sobel.expect("O", [&](const Index& x) {
    const double across = sumOf9([&](auto r, auto s) {
      return weight(r) * static_cast<double>(s - 1) * sobel("I", x[0] + r, x[1] + s);
    });
    const double down = sumOf9([&](auto r, auto s) {
      return weight(s) * static_cast<double>(r - 1) * sobel("I", x[0] + r, x[1] + s);
    });
    return std::hypot(across, down);
  });
  const Evaluated gray("vision/grayscale", {{"H", 4}, {"W", 5}});
  gray.expect("O", [&](const Index& x) {
    return 0.299 * gray("I", 0, x[0], x[1]) + 0.587 * gray("I", 1, x[0], x[1]) +
           0.114 * gray("I", 2, x[0], x[1]);
  });
}

TEST(VisionKernels, Histogram) {
  const Evaluated e("vision/histogram", {{"N", 40}, {"B", 4}},
                    {{"I", [](double v) { return std::floor(128 + 128 * v); }}});
  e.expect("O", [&](const Index& x) {
    return sumOf(40, [&](auto i) {
      return std::floor(e("I", i) / 64) == static_cast<double>(x[0]) ? 1 : 0;
    });
  });
}

}  // namespace
}  // namespace gridloom::kernel
