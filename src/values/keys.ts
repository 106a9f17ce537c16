/** They run code on the server. */
export const codeWords = ['$where', '$function', '$accumulator'] as const

/** Stages that write what a pipeline makes to a collection. */
export const outputStages = ['$out', '$merge'] as const

/** Refused, unless the spec and the command line both allow them. */
export const guardedWords = [...codeWords, ...outputStages] as const

export type GuardedWord = (typeof guardedWords)[number]

/** What each of them does that nobody should meet unawares. */
export const dangers: Readonly<Record<GuardedWord, string>> = {
  $where: 'runs code on the server',
  $function: 'runs code on the server',
  $accumulator: 'runs code on the server',
  $out: 'replaces a collection',
  $merge: 'writes to a collection',
}

export const isGuarded = (key: string): key is GuardedWord => (guardedWords as readonly string[]).includes(key)

/** What servers send to each other, code to run among it. Never accepted. */
export const isInternal = (key: string): boolean => key.startsWith('$_internal')

/** Whether an object that is made while a spec runs may have this key. Guarded words must be written out, where all can see them. */
export const isUsableKey = (key: string): boolean =>
  !/^(__proto__|_bsontype)$|^@|\0/.test(key) && !isGuarded(key) && !isInternal(key)
