import { expect, it } from 'vitest'
import { diffLines, movedLines } from './diff.ts'

const style = { paint: (colour: string, text: string): string => `${colour}|${text}` }

it('colours the lines of a diff by what they do', () => {
  expect(diffLines('--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n-old\n+new\x1b\n', style)).toEqual([
    'bold|--- a/x',
    'bold|+++ b/x',
    'cyan|@@ -1 +1 @@',
    ' same',
    'red|-old',
    String.raw`green|+new\x1b`,
  ])
})

it('shows what came and went', () => {
  expect(movedLines({ added: ['f'], removed: ['g'] }, style)).toEqual(['green|+ f', 'red|- g'])
})
