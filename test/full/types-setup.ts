export { freshTypes as setup } from '../fresh-build.ts'
