/** The note about a previous result that was kept. */
export const previousKept = (place: string): string => `the previous result is kept as ${place}\n`
