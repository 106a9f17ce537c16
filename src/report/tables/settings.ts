import { plainTable, type Table } from './table.ts'

/** A setting with its value. */
export type Fact = { readonly name: string; readonly value: string }

/** Header of a table of settings, by which documents find it. */
export const settingsHeader = ['Setting', 'Value'] as const

export const settingsTable = (facts: readonly Fact[]): Table =>
  plainTable(
    'Settings',
    [
      { title: settingsHeader[0], cell: ({ name }) => name },
      { title: settingsHeader[1], cell: ({ value }) => value },
    ],
    facts,
  )
