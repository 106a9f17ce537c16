/** Parts that only rows of members have. */
export const memberParts = ['member', 'role'] as const

/** Parts that only rows of faults have. */
export const faultParts = [
  'phase',
  'fault',
  'occurrence',
  'faultKind',
  'targets',
  'primary',
  'term',
  'errorLabels',
] as const

/** Parts that only rows of steps of a search have. */
export const stepParts = ['workers'] as const

/** A part that only rows of faults have. */
export type FaultPart = (typeof faultParts)[number]

/** Whether only rows of members have a part. */
export const isMemberPart = (part: string): boolean => memberParts.some((known) => known === part)

/** Whether only rows of faults have a part. */
export const isFaultPart = (part: string): part is FaultPart => faultParts.some((known) => known === part)

/** Whether only rows of steps have a part. */
export const isStepPart = (part: string): boolean => stepParts.some((known) => known === part)
