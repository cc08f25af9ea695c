import { expect, it } from 'vitest'
import { mailKindWhen } from './status'

it('tells a bailiff of the alerts that he is told of, and everybody else of all', () => {
  const [bailiff, chamber] = [{ role: 'KT' as const }, { role: 'koda' as const }]
  expect([mailKindWhen('alert_fired', [bailiff, bailiff]), mailKindWhen('alert_recovered', [bailiff])]).toEqual(['kui algab häire sinu büroo kohta', 'kui häire sinu büroo kohta lõpeb'])
  expect([mailKindWhen('alert_fired', [bailiff, chamber]), mailKindWhen('alert_recovered', [chamber])]).toEqual(['kui mõne reegli häire algab', 'kui häire lõpeb'])
  expect([mailKindWhen('daily_digest', [bailiff]), mailKindWhen('unknown', [bailiff])]).toEqual(['kord päevas: mis eile lõppes ja mis ebaõnnestus', undefined])
})
