import { type LinkedPair, type End } from './delays.ts'

/** What the proxies of a set are started with. */
export type ProxyPlan = {
  readonly seed: number
  /** Where the file system begins in which processes are looked up. */
  readonly root: string
  readonly members: readonly { readonly pid: number; readonly port: number }[]
  readonly links: readonly LinkedPair[]
}

/** Open: all passes. Cut: connections end, and new ones end at once. Stalled: nothing arrives until it is open again; nothing is lost. */
export type LinkState = 'open' | 'cut' | 'stalled'

/** The order that opens, cuts or stalls a link. */
export type SetLink = { readonly one: End; readonly other: End; readonly state: LinkState }

/** A round trip that is added to a link from now on, on top of its delay in the plan. */
export type SetDelay = { readonly one: End; readonly other: End; readonly rttMs: number }

/** What a round trip through a proxy takes that holds nothing back. Delays are shorter by it. */
export type SetOwnCost = { readonly rttMs: number }

/** A member that has been started anew. */
export type SetMember = { readonly member: number; readonly pid: number }

/** What the process of the proxies receives. */
export type ProxyOrder =
  | ({ readonly kind: 'state' } & SetLink)
  | ({ readonly kind: 'delay' } & SetDelay)
  | ({ readonly kind: 'ownCost' } & SetOwnCost)
  | ({ readonly kind: 'member' } & SetMember)

/** Ports of the loopback interface. */
export type ProxyPorts = {
  /** Where each member is found, in their order. */
  readonly members: readonly number[]
  /** For each link one where its second end is found as from its first, whoever knocks: so that a link of two members can be measured. */
  readonly doors: readonly number[]
  /** Leads to the first member, and never has a delay. */
  readonly passing: number
}

/** What it answers: once when it listens, then once to every message. */
export type ProxyAnswer =
  | { readonly kind: 'listening'; readonly ports: ProxyPorts }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'done' }
