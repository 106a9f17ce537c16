/** Kinds of engine that send the operations of a phase. */
export const engineKinds = ['driver', 'wire'] as const

/** The name of an engine. */
export type EngineKind = (typeof engineKinds)[number]
