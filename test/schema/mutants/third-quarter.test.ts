import { testMutants } from './read-mutants.ts'

testMutants(2)
