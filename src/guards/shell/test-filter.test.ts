import { describe, expect, it } from 'vitest'
import { filtersTests } from './test-filter.ts'

const isFilter = (line: string): boolean => {
  const words = line.split(' ')
  return filtersTests(words[0] ?? '', words, words.length - 1)
}

describe('filtersTests', () => {
  it.each([
    'npm test -- -t x',
    'npm -w a test -- -g x',
    'npm run test:unit -- --grep x',
    'npm exec vitest -t x',
    'yarn vitest -t x',
    'pnpm test --testNamePattern x',
    'pnpm exec jest -t x',
    'uv run pytest -k x',
    'bun test -t x',
  ])('%s: the last word names tests', line => {
    expect(isFilter(line)).toBe(true)
  })

  it.each([
    'npm test x',
    'npm test -- -c x',
    'npm exec -t x',
    'npm exec -y -t x',
    'npm run -t x',
    'npm -t x',
    'npm exec -- x',
    'uv run -k x',
    'docker run -t x',
    'make all -k x',
    'ssh host -t x',
  ])('%s: the last word may be a command', line => {
    expect(isFilter(line)).toBe(false)
  })
})
