import { describe, expect, it } from 'vitest'
import { isHarmlessSed } from './sed-script.ts'

describe('isHarmlessSed', () => {
  it.each([
    'p',
    '1,5p',
    '$d',
    '/a/,/b/d',
    '/a/I!p',
    's/a/b/',
    's/a/b/gI2p',
    's#/w#e#',
    's/\\//w/;s|x|e|g',
    'y/abc/efw/',
    '1~2p;$=',
    '/a/{s/b/c/;p}',
    ':a;N;$!ba;s/\\n/ /g',
    '2q5',
    '1i\\ hello',
    '3a\\\ne id',
    '2c \\\ne id\n$d',
    'a e w r',
    '0,/x/s//y/',
    '\\,a,d',
    '# e id',
    's/[a-z]*[[:space:]]/x/',
    's,[^/]*$,,',
    '',
  ])('%j only prints and changes text', script => {
    expect(isHarmlessSed(script)).toBe(true)
  })

  it.each([
    'e',
    '1e id',
    'e id',
    's/a/b/e',
    's/a/b/ge',
    's/a/b/w f',
    's#a#b#e',
    'w f',
    '1,5w f',
    'W f',
    'r /etc/passwd',
    'R f',
    'p;e id',
    'p\ne id',
    '/a/{p;e id\n}',
    '/a/!e',
    'y/a/b/e',
    's/a/b/;e',
    's/a\nb/c/',
    's/a/b',
    'sxaxbx',
    ',p',
    '1,e',
    'a\\\nfoo\\\ne id',
    'a\\\nfoo\ne id',
    'a\\\n\ne id',
    'a\\ \ne id',
    'a\\\t\ne id',
    'a\\\\\ne id',
    '#n\ne id',
    '}e',
    'b x;e id',
    'q;e',
    'k',
    's/[/a/;s,/],e,;s,/x/e;#,,',
    's/[^/]/x/',
  ])('%j may do more', script => {
    expect(isHarmlessSed(script)).toBe(false)
  })
})
