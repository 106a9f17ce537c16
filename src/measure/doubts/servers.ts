import { type Doubt, list, percent } from './doubt.ts'

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
]
