// Whole numbers of 128 bits.
#pragma once

namespace prunus {

__extension__ typedef __int128 Wide;

}  // namespace prunus
