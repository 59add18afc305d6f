export const EMERGENCY_KINDS = ['self_harm', 'poisoning', 'acute_illness', 'fire', 'violence'] as const
export type EmergencyKind = (typeof EMERGENCY_KINDS)[number]
