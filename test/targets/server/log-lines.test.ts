import { expect, test } from 'vitest'
import { lastComplaints } from '../../../src/targets/server/log-lines.ts'

const line = (s: string, msg: string, attr?: object): string => JSON.stringify({ t: {}, s, c: 'STORAGE', msg, attr })

test('the complaints of a log are put in words, each once', () => {
  const log = [
    line('I', 'Starting'),
    line('E', 'Failed to set up', { error: { code: 1, errmsg: 'Address already in use' } }),
    line('E', 'Failed to set up', { error: { code: 1, errmsg: 'Address already in use' } }),
    line('F', 'Fatal assertion', { msgid: 1 }),
    'half a li',
  ].join('\n')
  expect(lastComplaints(log, 'ignored')).toEqual(['Failed to set up: Address already in use', 'Fatal assertion'])
})

test('a server that dies before its log is open is quoted', () => {
  expect(lastComplaints('', "Error parsing option\ntry '--help'\n\n")).toEqual(['Error parsing option', "try '--help'"])
})
