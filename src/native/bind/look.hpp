// A Python function that kernels ask now and then whether to stop.
#pragma once

#include <nanobind/nanobind.h>

#include <exception>

#include "look.hpp"

namespace prunus {

/// Asks `function(work)`, if it is not None. What it raises stops the kernel, and `run` raises it.
class PythonLook {
  public:
    explicit PythonLook(const nanobind::object& asked) : function(asked) {}

    /// Calls `work(look)` without the interpreter's lock.
    template <class Work>
    auto run(const Work& work) {
        auto result = [&] {
            nanobind::gil_scoped_release released;
            return work(function.is_none() ? Look{} : Look{ask, this});
        }();
        if (error) std::rethrow_exception(error);
        return result;
    }

  private:
    static bool ask(void* of, std::int64_t work) {
        auto* self = static_cast<PythonLook*>(of);
        if (self->error) return true;
        nanobind::gil_scoped_acquire held;
        try {
            return nanobind::cast<bool>(self->function(work));
        } catch (...) {
            self->error = std::current_exception();
            return true;
        }
    }

    const nanobind::object& function;
    std::exception_ptr error;
};

}  // namespace prunus
