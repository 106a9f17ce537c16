import { Ajv2020 } from 'ajv/dist/2020.js'
import { editorSchema } from '../../../docs/generator/editor/editor-schema.ts'

/** The schema of editors, in an independent validator that knows the names of what only editors read. */
export const validate = new Ajv2020({
  allowUnionTypes: true,
  strictTypes: false,
  formats: { 'date-time': true, uri: true },
  keywords: ['defaultSnippets', 'enumDescriptions', 'suggestSortText', 'patternErrorMessage'],
}).compile(editorSchema())
