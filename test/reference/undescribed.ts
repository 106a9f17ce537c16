import { type Section } from '../../src/reference/sections.ts'

/** Fields that nobody has described, by their section. */
export const undescribed = (sections: readonly Section[]): readonly string[] =>
  sections.flatMap(({ title, fields }) =>
    fields.filter(({ meaning }) => meaning === '').map(({ name }) => `${title}: ${name}`),
  )
