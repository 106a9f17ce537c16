/** Message from the process of a coordinator to the one that has started it. */
export type CoordinatorMessage =
  | { readonly kind: 'window begins' | 'window ends' }
  | { readonly kind: 'measured'; readonly cost: CoordinatorCost }

/** Cost of agents to their coordinator in the window. */
export type CoordinatorCost = {
  /** Percentage of one core. */
  readonly cpuPercent: number
  /** For each part that came in the window: what it would be with fewer agents or more, also where the machine is too busy for all parts to come in time. */
  readonly cpuUsPerPart: number
  readonly rssMB: number
  readonly loopDelayP99Ms: number
  readonly loopDelayMaxMs: number
  readonly partsPerSecond: number
  /** From the second that a part ends with until it is merged. */
  readonly partDelayMedianMs: number
  readonly partDelayMaxMs: number
  readonly fileDescriptors: number
  readonly startOffsetMaxMs: number
  readonly clockErrorMaxMs: number
  /** From the claim until all are connected. */
  readonly preparedAfterSeconds: number
}
