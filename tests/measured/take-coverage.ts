import { takeCoverage } from 'node:v8'
import { afterAll } from 'vitest'

// A worker is ended before Node would write by itself.
afterAll(() => takeCoverage())
