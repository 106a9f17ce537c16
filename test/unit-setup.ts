export { freshModules as setup } from './fresh-build.ts'
