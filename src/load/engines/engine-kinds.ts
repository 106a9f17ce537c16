export const engineKinds = ['driver', 'wire'] as const

export type EngineKind = (typeof engineKinds)[number]
