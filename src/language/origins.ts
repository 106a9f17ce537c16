import { type Path } from '../core/json.ts'

/** The paths in the file of the children of folded objects and lists, for error messages. */
export type Origins = WeakMap<object, ReadonlyMap<string | number, Path>>
