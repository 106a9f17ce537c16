import { type Explain } from '../../../results/schema/explain.ts'
import { type WarningRule, list, share, wording } from './warning.ts'

/** Share of the host's CPU time that went to other machines. */
const maxSteal = 0.01

export const ofServers: readonly WarningRule[] = [
  {
    code: 'member-restarted',
    finds({ members }) {
      const names = list(members.filter(({ restarted }) => restarted).map(({ member }) => member))
      return names && wording`A server restarted inside the window: ${names}`
    },
    advice: 'Its counters began again at 0, so the totals of its resources do not cover the whole row.',
  },
  {
    code: 'cpu-stolen',
    finds({ members }) {
      const stolen = members.flatMap(({ member, totals: { hostCpuStealMs, hostCpuTotalMs } }) =>
        hostCpuStealMs && hostCpuTotalMs && hostCpuStealMs / hostCpuTotalMs > maxSteal
          ? [wording`${member} (${share(hostCpuStealMs / hostCpuTotalMs)})`]
          : [],
      )
      const names = list(stolen)
      return names && wording`The hypervisor gave CPU time of a server's host to other machines: ${names}`
    },
    advice: 'Repeat at another time or on another host: other machines may have caused a difference between two rows.',
  },
  {
    code: 'chunks-moved',
    finds({ members }) {
      const moved = members.flatMap(({ member, totals: { chunkMigrations = null } }) =>
        chunkMigrations === null || chunkMigrations === 0 ? [] : [wording`${member} gave ${String(chunkMigrations)}`],
      )
      const names = list(moved)
      return names && wording`Chunks moved to other shards inside the window: ${names}`
    },
    advice:
      'Split and place the chunks beforehand, with the balancer off, unless moving them is a part of the question.',
  },
  {
    code: 'not-explained',
    finds({ operations }) {
      const unknown = operations.flatMap(({ name, explain, steps }) => [
        ...formatReason(name, explain),
        ...steps.flatMap((step) => formatReason(`${name}.${step.name}`, step.explain)),
      ])
      const names = list(unknown)
      return names && wording`Query plans are unknown or incomplete: ${names}`
    },
    advice: 'Columns of query plans are empty there, and thresholds on them are missed.',
  },
]

const formatReason = (name: string, explain: Explain | null): readonly string[] =>
  explain === null || explain.reason === null ? [] : [`${name} (${explain.reason})`]
