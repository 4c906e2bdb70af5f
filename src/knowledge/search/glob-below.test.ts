import { expect, it } from 'vitest'
import { globBelow } from './glob-below.ts'

it.each([
  ['.', './home/ann/shop/src/*.ts', './src/*.ts'],
  ['src', './home/ann/shop/src/*.ts', './*.ts'],
  ['src/', './home/ann/shop/src/**', './**'],
  ['/home/ann/shop', '!./home/ann/shop/src/*.ts', '!./src/*.ts'],
  ['/home/ann/shop/src', './home/ann/shop/src/*.ts', './*.ts'],
  ['.', './home/ann/shopping/*.ts', './home/ann/shopping/*.ts'],
  ['lib', './home/ann/shop/src/*.ts', './home/ann/shop/src/*.ts'],
  ['.', './src/*.ts', './src/*.ts'],
  ['.', '*.ts', '*.ts'],
])('from %j reads %j as %j', (directory, glob, below) => {
  expect(globBelow('/home/ann/shop', directory, glob)).toBe(below)
})
