// What headers need that CUDA, HIP and C++ compile alike.
//
// Cards have DEVICE from hardware/cuda/portable.cuh, which their files include before. In C++ all
// stands in the namespace of the instruction set that it is compiled for.
#pragma once

#if defined(PRUNUS_SET)
#define DEVICE inline
#define BOTH_BEGIN namespace prunus::PRUNUS_SET {
#define BOTH_END }
#else
#define BOTH_BEGIN
#define BOTH_END
#endif
