import {expect} from 'vitest'

export const ANY_TEXT: unknown = expect.any(String)

export const ANY_NUMBER: unknown = expect.any(Number)

/** Words for people. */
export const SOME_WORDS: unknown = expect.stringMatching(/\w+ \w+/)

/** A timestamp: UTC with milliseconds. */
export const MOMENT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
