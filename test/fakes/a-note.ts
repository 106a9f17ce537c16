import { type Note } from '../../src/metrics/trust/notes.ts'

/** A remark about the first run of the first row. */
export function aNote({ run = '0/1', kind = 'x', ...given }: Partial<Note> = {}): Note {
  return {
    code: kind,
    kind,
    level: 'comparable',
    reason: '',
    share: null,
    parts: ['Look'],
    advice: 'Look again',
    run,
    about: `${run}/find`,
    ...given,
  }
}
