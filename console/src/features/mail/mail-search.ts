// What the address of a mail's page says; light: every page knows the addresses of all.
import * as z from 'zod/mini'
import { loose } from '@/lib/search'

export const MAIL_TABS = ['html', 'text', 'headers'] as const
export type MailTab = (typeof MAIL_TABS)[number]

export const mailSearchSchema = z.object({ tab: loose(z.enum(['text', 'headers'])) })
