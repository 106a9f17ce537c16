/** For what cannot be when a test is right; also where a value is wanted. */
export function fail(reason: string): never {
  throw new Error(reason)
}
