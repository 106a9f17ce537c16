/** Room for the names of numbered points to the right of the plot, in pixels. */
export const keyWidth = (width: number): number => Math.min(380, Math.round(width * 0.38))
