// Gifts between explorers of several devices while their kernels run.
//
// A device of which many explorers wait is hungry: it sets its bit where the others look anyway, until
// few do. A busy explorer that sees it gives half of its pool to one that waits there, writing to that
// device's memory. So work goes round within microseconds and in small pieces, as inside one device, and the
// end of a search on several is that of a search on one that is so much larger.
//
// Kernels of different devices begin and end when their hosts say so. A device can be given to while
// its gate is open, from the beginning of `explore` to `shut`, which waits until nobody is there: what
// has been given by then is in its pools, and counted as such on both sides.
//
// Before this file: struct Peer, struct Search. Nothing of it is compiled for a device alone.
#pragma once

constexpr u32 OWN = 0xffff;     // of Control::waiting: explorers of this device
constexpr u32 SHUT = 1u << 31;  // of Control::gate

// Where explorers wait for gifts: here, or on another device.
struct Place {
    Control* control;
    u32* idle;
    int explorers, slot, sated;
};

DEVICE Place place_of(const Search* s)
{
    Place place = {s->control, s->idle, (int)s->explorers, (int)s->slot, (int)s->sated};
    return place;
}

// A device becomes hungry, or no longer is: change its bit at all others, if that is new. What crosses
// on the way adds up in any order.
DEVICE void announce(Search* s, Control* control, int slot, u32 hungry)
{
    if (exchange_for_all(&control->hungry, hungry) == hungry) return;
    const u32 bit = (hungry ? 1u : 0u - 1u) << (16 + slot);
    if (s->slot != slot) add_for_all(&s->control->waiting, bit);
    for (int i = 0; i < (int)s->peer_count; i++)
        if (s->peers[i].slot != slot) add_for_all(&s->peers[i].control->waiting, bit);
}

// An explorer has joined those who wait; return whether the kernel has nothing to do and nothing to
// hope for.
DEVICE bool all_wait(Search* s, int waiting)
{
    if (PEERS && s->linked) {
        if (waiting == (int)s->hungry) announce(s, s->control, (int)s->slot, 1);
        return false;
    }
    return waiting == (int)s->explorers;
}

// For one explorer that waits: return whether everybody does, on all devices. `since` is when it last
// found that all do here.
DEVICE bool starves(Search* s, u64& since)
{
    if (!s->linked || (int)(peek(&s->control->waiting) & OWN) != (int)s->explorers) {
        since = 0;
        return false;
    }
    const u64 now = ticks();
    if (since) s->control->starved += now - since;
    since = now;
    for (int i = 0; i < (int)s->peer_count; i++)
        if ((int)(peek(&s->peers[i].control->waiting) & OWN) != (int)s->peers[i].explorers) return false;
    return true;
}

#if PEERS
DEVICE int find_waiting(Search* s, const Place& place, u32 seed);

// Give half of a pool to an explorer of a device that is hungry.
DEVICE bool give_away(Search* s, Pool& pool, u32 seed, u32 bits)
{
    if (shareable(pool) < (int)s->modest) return false;
    const Peer* peer = 0;
    const int count = (int)s->peer_count, start = (int)(seed % (u32)count);
    for (int i = 0; i < count && !peer; i++) {
        const Peer* other = s->peers + (start + i) % count;
        if (bits >> other->slot & 1) peer = other;
    }
    if (!peer) return false;
    u32 gate = 0;
    if (lane() == 0) {
        gate = peek(&peer->control->gate); // or those who knock would keep a gate from being shut
        if (!(gate & SHUT)) {
            gate = add_for_all(&peer->control->gate, 1u);
            if (gate & SHUT) add_for_all(&peer->control->gate, 0u - 1u);
        }
    }
    if (warp_shuffle((int)gate, 0) & SHUT) return false;
    const Place place = {peer->control, peer->idle, (int)peer->explorers, (int)peer->slot,
                         (int)peer->sated};
    const int who = find_waiting(s, place, seed);
    if (who >= 0) {
        const Half half = half_of(pool);
        const bool gives = half.leave < half.count;
        const u32* entry = pool.at(pool.bottom + (lane() < pool.size() ? lane() : 0));
        const int measure = gives ? width(half.waiting, entry + FREE, half.leave) : 0;
        add_widths(s->gone, peer->come, gives, (int)(entry[0] & 0xffffu), measure);
        warp_sync();
        u32* to = peer->pools + (u64)who * s->capacity * ENTRY_WORDS;
        const int entries = hand_over(pool, half.waiting, half.count, half.leave, to, ENTRY_WORDS, true);
        fence_all();
        warp_sync();
        if (lane() == 0) {
            add_for_all(&peer->control->visits, 1);
            poke(peer->top + who, entries);
        }
    }
    if (lane() == 0) {
        fence_all();
        add_for_all(&peer->control->gate, 0u - 1u);
    }
    return who >= 0;
}

// After `explore`: nobody gives anything here any more.
KERNEL(WARP, 1) shut(Search* s)
{
    if (blockIdx.x || threadIdx.x || !s->linked) return;
    Control* c = s->control;
    or_for_all(&c->gate, SHUT);
    const u64 late = ticks() + 1000000000;
    while (peek(&c->gate) != SHUT) {
        doze();
        if (ticks() > late) { // whoever was here has failed
            c->overflow = 2;
            break;
        }
    }
    fence_all();
    announce(s, c, (int)s->slot, 0);
}
#endif
