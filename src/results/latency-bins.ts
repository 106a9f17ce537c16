const binsPerDoubling = 4

/** The bin of a latency, by its size on a logarithmic scale: from 1 µs on, four for every doubling. */
export const latencyBin = (us: number): number => Math.floor(binsPerDoubling * Math.log2(us))

/** Returns the lower bound of a bin, in milliseconds. It ends at the lower bound of the next one. */
export const binStartMs = (bin: number): number => 2 ** (bin / binsPerDoubling) / 1000
