import { type Section } from '../../docs/generator/sections.ts'

/** Fields without a description, by section. */
export const undescribed = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap(({ title, fields }) =>
    fields.filter(({ meaning }) => meaning === '').map(({ name }) => `${title}: ${name}`),
  )
