/** Prints what someone should know although no expectation is missed. Test runners show it with the output of the tests. */
export const printNote = (text: string): void => void process.stderr.write(`mongo-perf: ${text}\n`)
