/** Operators that run code on the server. */
export const codeOperators = ['$where', '$function', '$accumulator'] as const

/** Stages that write what a pipeline makes to a collection. */
export const outputStages = ['$out', '$merge'] as const

/** Operators and stages that are refused unless the spec and the command line both allow them. */
export const guardedKeys = [...codeOperators, ...outputStages] as const

export type GuardedKey = (typeof guardedKeys)[number]

/** Why each of them is guarded, for error messages. */
export const dangers: Readonly<Record<GuardedKey, string>> = {
  $where: 'runs code on the server',
  $function: 'runs code on the server',
  $accumulator: 'runs code on the server',
  $out: 'replaces a collection',
  $merge: 'writes to a collection',
}

/** Whether a key needs the permission of the spec and of the command line. */
export const isGuarded = (key: string): key is GuardedKey => (guardedKeys as readonly string[]).includes(key)

/** Whether a key is reserved for what servers send to each other, which includes code. Never accepted. */
export const isInternal = (key: string): boolean => key.startsWith('$_internal')

/** Whether an object that is computed while a spec runs may have this key. Guarded keys must be written out in the spec. */
export const isUsableKey = (key: string): boolean =>
  !/^(__proto__|_bsontype)$|^@|\0/.test(key) && !isGuarded(key) && !isInternal(key)
