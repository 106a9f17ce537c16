import { printable } from '../../core/printable.ts'

/** Prints what someone should know although no expectation is missed. Test runners show it with the output of the tests. */
export const printNote = (text: string): void => void process.stderr.write(printable(`mongo-perf: ${text}\n`))
