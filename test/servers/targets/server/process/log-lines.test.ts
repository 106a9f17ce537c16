import { expect, test } from 'vitest'
import { hintOfLog, lastLogLines } from '../../../../../src/servers/targets/server/process/server-loss.ts'

const line = (s: string, msg: string, attr?: object): string => JSON.stringify({ t: {}, s, c: 'STORAGE', msg, attr })

test('the complaints of a log are put in words, each once', () => {
  const complaint = line('E', 'Failed to set up', { error: { code: 1, errmsg: 'Address already in use' } })
  const log = [
    line('I', 'Starting'),
    complaint,
    complaint,
    line('F', 'Fatal assertion', { msgid: 1 }),
    'half a li',
  ].join('\n')
  expect(lastLogLines(log, 'ignored')).toEqual(['Failed to set up: Address already in use', 'Fatal assertion 1'])
})

test('a server that dies before its log is open is quoted', () =>
  expect(lastLogLines('', "Error parsing option\ntry '--help'\n\n")).toEqual(['Error parsing option', "try '--help'"]))

test('a failed assertion is quoted with its place, without the lines that only report the end', () => {
  const log = [
    line('F', 'Invariant failure', { expr: 'keys == 1', file: 'src/key.cpp', line: 72 }),
    line('F', '\n\n***aborting after invariant() failure\n\n'),
    line('I', 'Frame', { frame: { a: '556C' } }),
  ].join('\n')
  expect(lastLogLines(log, '')).toEqual(['Invariant failure: keys == 1 (src/key.cpp:72)'])
})

test('a log without complaints is quoted from its end', () => {
  const log = ['Starting', 'Listening', 'Connection accepted', 'CMD fsync'].map((msg) => line('I', msg)).join('\n')
  expect(lastLogLines(log, '')).toEqual(['Listening', 'Connection accepted', 'CMD fsync'])
})

test('what WiredTiger reports is quoted with the words of the system, not with its number', () => {
  const message = { category: 'WT_VERB_DEFAULT', msg: 'pwrite: failed', error_str: 'No space left on device' }
  const log = line('E', 'WiredTiger error message', { error: 28, message })
  expect(lastLogLines(log, '')).toEqual(['WiredTiger error message: pwrite: failed: No space left on device'])
})

test('of a server that ran out of files the first fatal message is quoted with the error before it, and no stack', () => {
  const wiredTiger = (error: number, msg: string, text: string): string =>
    line('E', 'WiredTiger error message', { error, message: { msg, error_str: text } })
  const log = [
    line('E', 'Assertion', { error: "couldn't open [/proc/1/stat] Too many open files" }),
    wiredTiger(24, '__log_server: journal: open', 'Too many open files'),
    wiredTiger(-31804, '__wt_panic: the process must exit and restart', 'WT_PANIC: WiredTiger library panic'),
    line('F', 'Fatal assertion', { msgid: 50853, file: 'wiredtiger_util.cpp', line: 712 }),
    line('F', '\n\n***aborting after fassert() failure\n\n'),
    line('F', 'Writing fatal message', { message: 'Got signal: 6 (Aborted).\n' }),
    line('E', 'Error collecting stack trace', { error: 'unw_get_proc_name(5640): unspecified (general) error' }),
  ].join('\n')
  const lines = lastLogLines(log, '')
  expect(lines).toEqual([
    'WiredTiger error message: __log_server: journal: open: Too many open files',
    'Fatal assertion 50853 (wiredtiger_util.cpp:712)',
  ])
  expect(hintOfLog(lines)).toSay('hint-log-open-files')
  expect(hintOfLog(lines.slice(1))).toSay('hint-log-wired-tiger')
  expect(hintOfLog(['Starting'])).toBeUndefined()
})
