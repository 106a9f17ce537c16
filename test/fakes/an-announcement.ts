import { type Announcement } from '../../src/run/agents/messages.ts'

/** An agent of this version that waits for runs. */
export const anAnnouncement: Announcement = {
  id: 'agent-1',
  name: 'one',
  version: '0.0.0',
  language: '',
  nodeMajor: 20,
  threads: 1,
  machine: '',
  run: null,
  isStopped: false,
}
