import { writeFileSync } from 'node:fs'
import { jsonSchemas, schemaText } from './json-schemas.ts'

const fixtures = new URL('../../fixtures/', import.meta.url)

for (const [file, schema] of Object.entries(jsonSchemas)) writeFileSync(new URL(file, fixtures), schemaText(schema()))
