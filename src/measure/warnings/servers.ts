import { type Explain } from '../../results/schema/explain.ts'
import { type Doubt, list, percent } from './warning.ts'

/** Share of the host's CPU time that went to other machines. */
const mostSteal = 0.01

export const ofServers: readonly Doubt[] = [
  {
    code: 'member-restarted',
    finds({ members }) {
      const names = list(members.filter(({ restarted }) => restarted).map(({ member }) => member))
      return names && `A server restarted inside the window: ${names}`
    },
    advice: "Its counters began again, so the totals of its resources are not this row's.",
  },
  {
    code: 'cpu-stolen',
    finds({ members }) {
      const stolen = members.flatMap(({ member, totals: { hostCpuStealMs, hostCpuTotalMs } }) =>
        hostCpuStealMs && hostCpuTotalMs && hostCpuStealMs / hostCpuTotalMs > mostSteal
          ? [`${member} (${percent(hostCpuStealMs / hostCpuTotalMs)})`]
          : [],
      )
      const names = list(stolen)
      return names && `The hypervisor gave CPU time of a server's host to other machines: ${names}`
    },
    advice: 'Repeat at another time or on another host; the difference between two rows may be the neighbours.',
  },
  {
    code: 'not-explained',
    finds({ operations }) {
      const unknown = operations.flatMap(({ name, explain, steps }) => [
        ...reasonOf(name, explain),
        ...steps.flatMap((step) => reasonOf(`${name}.${step.name}`, step.explain)),
      ])
      const names = list(unknown)
      return names && `Plans of operations are not known, or not whole: ${names}`
    },
    advice: 'Columns of plans are empty there, and thresholds on them are missed.',
  },
]

const reasonOf = (name: string, explain: Explain | null): readonly string[] =>
  explain === null || explain.reason === null ? [] : [`${name} (${explain.reason})`]
