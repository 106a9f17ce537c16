/** The note about a previous result that was kept. */
export const previousKept = (place: string): string => `the previous result is kept as ${place}\n`

/** The note about a run that left the result of an earlier one in its place. */
export const nothingMeasured = (file: string): string => `nothing was measured: ${file} is still the earlier result\n`
