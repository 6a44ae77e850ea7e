#include "nn/trainer.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace berd {
namespace {

constexpr const char* kLibraryName = "libberd_train.so";

// The folder of the running program with a final slash; "" when the system does not tell.
std::string ProgramFolder() {
  std::array<char, 4096> buffer{};
  const ssize_t size = readlink("/proc/self/exe", buffer.data(), buffer.size());
  if (size <= 0 || static_cast<std::size_t>(size) == buffer.size()) return "";
  const std::string program(buffer.data(), static_cast<std::size_t>(size));
  return program.substr(0, program.rfind('/') + 1);
}

std::string MissingMessage(const std::string& library, const std::string& reason) {
  return "the trainer is missing: cannot load " + library + " (" + reason +
         "); build Berd with BERD_TRAINER=ON, which needs the package libtorch-dev, or copy " +
         kLibraryName + " beside the program";
}

// Debian's OpenBLAS 0.3.21 does not know processors newer than itself and then falls back to code
// from 2004, which makes training of wide networks three times slower. It reads this variable when
// it is loaded; what the user has set stays.
void ChooseBlasKernels() {
#if defined(__x86_64__) && defined(__GNUC__)
  const bool avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (avx512) {
    setenv("OPENBLAS_CORETYPE", "SKYLAKEX", 0);
  } else if (avx2) {
    setenv("OPENBLAS_CORETYPE", "HASWELL", 0);
  }
#endif
}

Result<std::unique_ptr<Trainer>> MakeFrom(void* handle, const std::string& library,
                                          const Network& start, const TrainerOptions& options) {
  auto* factory = reinterpret_cast<TrainerFactory*>(dlsym(handle, kTrainerFactoryName));
  if (factory == nullptr) return Fail(library + ": not a trainer of Berd");
  std::string error;
  std::unique_ptr<Trainer> trainer(factory(kTrainerInterface, start, options, error));
  if (trainer == nullptr) return Fail(library + ": " + error);
  return trainer;
}

}  // namespace

// The handle is never closed: LibTorch does not survive being unloaded, and the trainer's code must
// outlive the trainer.
Result<std::unique_ptr<Trainer>> MakeTrainerFrom(const std::string& library, const Network& start,
                                                 const TrainerOptions& options) {
  ChooseBlasKernels();
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Fail(MissingMessage(library, dlerror()));
  return MakeFrom(handle, library, start, options);
}

Result<std::unique_ptr<Trainer>> MakeTrainer(const Network& start, const TrainerOptions& options) {
  const std::string beside = ProgramFolder() + kLibraryName;
  if (access(beside.c_str(), F_OK) == 0) return MakeTrainerFrom(beside, start, options);
  return MakeTrainerFrom(kLibraryName, start, options);
}

}  // namespace berd
