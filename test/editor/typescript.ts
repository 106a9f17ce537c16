import { fileURLToPath } from 'node:url'

/** Arguments of `node` that run the compiler. */
export const typescript = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
