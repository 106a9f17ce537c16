export const previousKept = (place: string): string => `the previous result is kept as ${place}\n`
