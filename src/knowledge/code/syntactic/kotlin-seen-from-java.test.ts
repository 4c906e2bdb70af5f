import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('possible callers of Kotlin in Java, on classes that the compiler makes', () => {
  const files = {
    'shop/loading.kt': `package shop

fun load(id: Int) = "x"
fun String.shout() = this

object Registry {
    fun register(id: Int) {}
}
`,
    'shop/renamed.kt': '@file:JvmName("Tools")\npackage shop\n\nfun mend(id: Int) = id\n',
    'elsewhere/ByImport.java': `package elsewhere;

import shop.Registry;
import shop.LoadingKt;
import static shop.Tools.mend;

class ByImport {
  void fileClass() { LoadingKt.load(1); }
  void extension() { LoadingKt.shout("a"); }
  void qualified() { shop.LoadingKt.load(2); }
  void instance() { Registry.INSTANCE.register(3); }
  void staticImport() { mend(4); }
}
`,
    'shop/SamePackage.java': `package shop;

class SamePackage {
  void fileClass() { LoadingKt.load(5); }
  void renamedClass() { Tools.mend(6); }
}
`,
    'elsewhere/ByWildcard.java': `package elsewhere;

import shop.*;

class ByWildcard {
  void fileClass() { LoadingKt.load(7); }
  void otherClass() { OtherKt.load(8); }
}
`,
    // In the folder of those who import it, and in another package all the same.
    'elsewhere/LoadingKt.java': `package lookalike;

class LoadingKt {
  static void load(int id) {}
  void ownMethod() { LoadingKt.load(9); }
}
`,
  }

  it('come by the class that stands for the file', async () => {
    expect(await possibleCallers(files, 'shop/loading.kt', 'load')).toEqual([
      'ByImport.fileClass @elsewhere/ByImport.java:8',
      'ByImport.qualified @elsewhere/ByImport.java:10',
      'ByWildcard.fileClass @elsewhere/ByWildcard.java:6',
      // The class is unknown.
      'ByWildcard.otherClass @elsewhere/ByWildcard.java:7',
      'SamePackage.fileClass @shop/SamePackage.java:4',
    ])
    expect(await writtenCallers(files, 'shop/loading.kt', 'load')).toEqual([])
  })

  it('of an extension function hand its receiver as an argument', async () => {
    expect(await possibleCallers(files, 'shop/loading.kt', 'shout')).toEqual([
      'ByImport.extension @elsewhere/ByImport.java:9',
    ])
  })

  it('come by the class that the file names for itself', async () => {
    expect(await possibleCallers(files, 'shop/renamed.kt', 'mend')).toEqual([
      'ByImport.staticImport @elsewhere/ByImport.java:12',
      'SamePackage.renamedClass @shop/SamePackage.java:5',
    ])
  })

  it('of an object come by its only instance', async () => {
    expect(await possibleCallers(files, 'shop/loading.kt', 'Registry.register')).toEqual([
      'ByImport.instance @elsewhere/ByImport.java:11',
    ])
  })
})

describe('a reference to a Kotlin method', () => {
  it('hands it on, by a value, by the class and by this; a reference to the class does not', async () => {
    const files = {
      'Money.kt': `class Money {
    fun amount() = 1
    fun byValue(other: Money) = other::amount
    fun byClass() = Money::amount
    fun byThis() = this::amount
    fun classItself() = Money::class
}
`,
    }
    expect(await writtenCallers(files, 'Money.kt', 'amount')).toEqual([])
    expect(await possibleCallers(files, 'Money.kt', 'amount')).toEqual([
      'Money.byValue @Money.kt:3',
      'Money.byClass @Money.kt:4',
      'Money.byThis @Money.kt:5',
    ])
  })
})
