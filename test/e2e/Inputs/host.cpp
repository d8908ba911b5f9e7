// A program that embeds the runtime, loads a model made by `ampc --shared` (that of
// level-c.mlir) and runs an instance.
#include "amprt/amprt.hpp"

#include <cstdio>
#include <cstring>

static int fail(const amprt::Status &status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  amprt::Expected<amprt::Model> model = amprt::Model::load(argv[1]);
  if (!model)
    return fail(model.status());
  auto weights = amprt::Weights::load(*model, "", {});
  if (!weights)
    return fail(weights.status());
  auto session = amprt::Session::create(*model, *weights, {});
  if (!session)
    return fail(session.status());

  amprt::Values instance;
  amprt::Tensor &x = instance["x"] = amprt::Tensor(AMPRT_F32, {4});
  const float elements[] = {1, 2, 3, 4};
  std::memcpy(x.data(), elements, sizeof elements);
  amprt::Tensor &n = instance["n"] = amprt::Tensor(AMPRT_I32, {});
  const int32_t three = 3;
  std::memcpy(n.data(), &three, sizeof three);
  amprt::Result result = (*session)->submit(std::move(instance)).get();
  if (!result.status.ok())
    return fail(result.status);
  std::printf("y = %g %g %g, m = %g\n", result.values["y"].at(0),
              result.values["y"].at(1), result.values["y"].at(2),
              result.values["m"].at(0));

  result = (*session)->submit({}).get();
  return fail(result.status) == 1 ? 0 : 1;
}
