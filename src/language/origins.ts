import { type Path } from '../json.ts'

/** Where the children of folded objects and lists were written, for error messages. */
export type Origins = WeakMap<object, ReadonlyMap<string | number, Path>>
