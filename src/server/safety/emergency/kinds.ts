/** Kinds of emergencies. */
export const EMERGENCY_KINDS = ['self_harm', 'poisoning', 'acute_illness', 'fire', 'violence'] as const
/** Kinds that the classifier tells apart: too few lines about fire are there to train on. */
export const CLASSIFIED_KINDS = ['self_harm', 'poisoning', 'acute_illness', 'violence'] as const satisfies EmergencyKind[]
export type EmergencyKind = (typeof EMERGENCY_KINDS)[number]
