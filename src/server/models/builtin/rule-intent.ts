import { calculationOf } from './arithmetic.ts'
import { conversionOf } from './conversions.ts'
import { dateRequestOf } from './dates.ts'
import type { Request } from './intent-types.ts'
import type { ReplyLanguage } from './languages/language-rules.ts'
import { timeRequestOf } from './times.ts'

/** Recognizes an explicit request by rule: conversion, time, date or calculation. */
export async function ruleIntent(request: string, language: ReplyLanguage | undefined): Promise<Request | undefined> {
  return (
    timeRequestOf(request, language) ??
    (await conversionOf(request, language)) ??
    dateRequestOf(request, language) ??
    calculationOf(request, language)
  )
}
