// Softmax of rows as four structured operations, as front ends write it.
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @softmax(%X: tensor<6x16xf32>) -> tensor<6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %e0 = tensor.empty() : tensor<6xf32>
  %f0 = linalg.fill ins(%lowest : f32) outs(%e0 : tensor<6xf32>) -> tensor<6xf32>
  %max = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%X : tensor<6x16xf32>) outs(%f0 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<6xf32>
  %e1 = tensor.empty() : tensor<6x16xf32>
  %exp = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%X, %max : tensor<6x16xf32>, tensor<6xf32>) outs(%e1 : tensor<6x16xf32>) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<6x16xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.reduce ins(%exp : tensor<6x16xf32>) outs(%f1 : tensor<6xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %s = arith.addf %in, %out : f32
      linalg.yield %s : f32
    }
  %Y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<6x16xf32>, tensor<6xf32>) outs(%e1 : tensor<6x16xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %q = arith.divf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<6x16xf32>
  return %Y : tensor<6x16xf32>
}
