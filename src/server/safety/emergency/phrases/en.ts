import type { LanguagePhrases } from '../language-phrases.ts'

const RELATIVES =
  'husband|wife|partner|boyfriend|girlfriend|mum|mom|mother|dad|father|son|daughter|baby|child|kid|boy|girl|brother|sister|friend|mate|' +
  'grand[a-z]+|nan|granny|neighbou?r|colleague|coworker|flatmate|roommate|boss|teacher|uncle|aunt|cousin|toddler|ex|patient'

export const EN: LanguagePhrases = {
  slots: {
    person: `(?:(?:my|our|his|her|the|a|this|that) (?:[a-z]+ ){0,2}?(?:${RELATIVES}|man|woman|guy|lady|person)s?|someone|somebody|(?:some)?ones|he|hes|she|shes|they|theyre|theyve)`,
    who: `(?:i|im|ive|we|weve|{person})`,
    be: '(?: am| is| are| was| has| have| just| still| now| been| think i| think ive| think im| might have| may have| accidentally| suddenly| is now| really| also)*',
    adv: '(?:just |really |still |so |only |honestly |truly |do |fucking |seriously |both )*',
    pills:
      '(?:[a-z]+ ){0,4}?(?:pills|tablets|meds|medication|medicine|painkillers|paracetamol|ibuprofen|tylenol|aspirin|sleeping pills|antidepressants|insulin|opioids|drugs)',
    poison:
      '(?:[a-z]+ ){0,4}?(?:bleach|[a-z]+ cleaner|cleaner|poison|rat poison|antifreeze|detergent|batter(?:y|ies)|laundry pods?|weed ?killer|pesticide|acid|disinfectant|descaler|petrol|turpentine|poisonous [a-z]+|methanol|hand sanitizer|cleaning [a-z]+|magnets?)',
  },
  phrases: {
    self_harm: [
      '(?:i|i would|id) {adv}(?:want|wanna|want to|wish i could|wish i would|rather|would rather|would like to|like to|need to|am ready to|hope i|hope to|feel like i want to) {adv}(?:die|be dead|not exist)(?! laughing| of| for| rich)|i wish i (?:was|were) (?:dead|never born)|im (?:ready to die|going to end it|ending it)|' +
        '{person} (?:says? |said |keeps saying )?(?:he |she |they )?(?:wants? to|wanna|is going to|going to|is trying to|tried to) (?:die|end (?:it|his life|her life|their life))(?! of)|{person} (?:wrote|left|sent) (?:me )?(?:a )?(?:suicide|goodbye) (?:note|letter|message)',
      '(?:kill|killing|hang|hanging|harm|harming|hurting|cutting|drown) (?:myself|himself|herself|themself|themselves)(?! off| laughing| trying| over| to| with)|(?:want|going|gonna|about) (?:to )?(?:hurt|cut|shoot|drown) myself(?! off| in the foot)',
      '(?:i|im|am|is|hes|shes|feel|feels|feeling|so|very|really) suicidal|suicidal (?:thoughts|right now|again)|(?:thinking|think|thoughts) (?:of|about) (?:suicide|ending (?:it|my life)|dying)|(?:want|wants|wanna|going|gonna|try|trying|tried|about|how|ways?|planning) (?:to )?commit(?:ting)? suicide',
      '(?:dont|do not|no longer) (?:want to|wanna) (?:live|be alive|exist|be here|wake up)(?: any ?more| any longer| like this| tomorrow| again| $)',
      '(?:end|ending|take|taking) my (?:own )?life(?! savings| insurance)|end it all|better off (?:dead|without me)|(?:no|any) reason to live|nothing (?:left )?to live for|no point (?:in )?(?:in living|living|being alive)|life (?:is|isnt) (?:not )?worth living|cant go on (?:living|any ?more)|(?:about to|going to|gonna|want to|will) jump (?:off|from|in front of) (?:a|the|this|my) (?:bridge|roof|building|train|balcony|cliff)',
      'how (?:many|much) (?:[a-z]+ ){1,5}?(?:to die|to kill (?:me|myself|yourself|someone|you|a person)|(?:would|will|can|could) kill (?:me|you|someone|a person)|(?:is|are) (?:lethal|fatal|deadly)|to overdose|for an overdose|to (?:end|take) (?:my|your) life)|(?:tie|make|tying|making) a noose|lethal dose|(?:painless|easiest|quickest|fastest|best|easy|quick|peaceful|good) ways? to (?:die|kill myself|commit suicide|end my life|go forever)|how (?:to|do i|can i) (?:die|kill myself|end my life)(?! in)',
    ],
    poisoning: [
      '{who}{be} (?:overdosed|overdosing|od ?d|oded|oding|taken an overdose|took an overdose|had an overdose|having an overdose|poisoned|swallowed poison)|(?:have|has|having) (?:alcohol|food|carbon monoxide) poisoning',
      '{who}{be} (?:took|taken|taking|swallowed|swallowing|ate|eaten|had) (?:too (?:many|much)|(?:a |the )?(?:whole|full|entire)|a (?:bottle|box|pack|packet|handful|bunch|load)|all(?: of)?|lots|a lot|every|[0-9]{2,}|twenty|thirty|forty|fifty) {pills}',
      '{who}{be} (?:drank|drunk|drinking|swallowed|swallowing|ate|eaten|ingested|inhaled) {poison}',
    ],
    acute_illness: [
      '(?:not|isnt|aint|arent|stopped|without) (?:really )?breathing|(?:cant|cannot|can not|can barely|can hardly|struggling to|unable to) breathe?(?:ing)?|(?:no|without a|cant find a|cant feel a) pulse|heart (?:has )?stopped',
      '(?:having|has|just had|be|its|is|gave me) (?:like )?(?:a|an) (?:massive |severe |bad |mild )?(?:heart attack|stroke|seizure|cardiac arrest|asthma attack|severe allergic reaction|allergic reaction|anaphylactic [a-z]+|epileptic (?:fit|seizure)|fit right now)|(?:need|call|send|get)(?: me| us| for)? (?:an |a )?ambulance|(?:have|having|has|got|with|bad|severe|terrible|crushing|strong) (?:[a-z]+ )?(?:chest pains?|pains? in (?:my|his|her) chest)|(?:my|his|her) chest (?:really )?hurts?',
      '{who}{be} (?:unconscious|unresponsive|passed out|collapsed|choking|drowning|drowned|seizing|convulsing|bleeding (?:out|heavily|badly|a lot|to death|so much|everywhere)|fainted|turning blue|going blue|electrocuted|hit by (?:a|the) (?:car|bus|train|truck|lorry)|(?:fell|fallen) (?:off (?:the|a) roof|down the stairs|from (?:the|a) (?:roof|window|balcony|ladder)))|(?:wont|doesnt|isnt|not|cant) (?:wake|waking) (?:up|him up|her up)|(?:wont|cant|doesnt) stop bleeding|(?:i|he|she|hes|shes|im|{person})(?: is| are| am| think im| think i am| might be)* dying(?! to| for| of (?:laughter|boredom|hunger|thirst)| laughing| my| over| out)|waters? (?:just |have |has )?(?:broke|broken)|face is drooping',
    ],
    fire: [
      '(?:house|home|flat|apartment|kitchen|building|room|bedroom|car|garage|roof|office|school|bed|oven|stove|shop|store|hotel|clothes|hair|basement|barn|shed|neighbou?rs?(?: house)?|place|van|sofa|curtains)s? (?:is |are |has |have |just |now |right |also )*(?:on fire|burning(?: down)?|caught fire|caught on fire|in flames|full of smoke)(?! stick)|(?:theres|there is|i see) (?:a |an |some )?(?:[a-z]+ )?(?:fire|smoke coming|smoke in|gas leak)(?! exit| drill| alarm test| station| sale| door| safety)|fire in (?:my|our|the) (?:house|home|flat|kitchen|building|apartment|garage|room|bedroom|office|school|basement)|(?:i|we) (?:can )?smell (?:of )?(?:[a-z]+ )?gas|(?:trapped|stuck) in (?:a|the) (?:fire|burning [a-z]+)',
    ],
    violence: [
      '{person}(?: is| are| was| has| has been| have| keeps| just| started| now)* (?:hits|hit|hitting|beats|beat|beating|attacked|attacking|choked|choking|strangled|strangling|stabbed|stabbing|shot|shooting|raped|raping|threatened|threatening|kidnapped|hurting|assaulted|assaulting|trying to (?:kill|rape|stab|hurt)|going to (?:kill|hurt)|tried to (?:kill|rape|strangle|stab)|threatened to kill|threatening to kill|wants to kill|locked|holding|chasing|following)(?: up)? (?:me|us|my (?:[a-z]+ )?(?:' +
        RELATIVES +
        ')|her|him|people|someone|somebody)(?! up on| ask| back| a)',
      '(?:i|we|ive|im|weve|{person})(?: was| am| were| have| has| is| just| got| been| being| getting)+ (?:raped|stabbed|shot(?! down)|attacked|beaten(?: up)?|assaulted|kidnapped|strangled|abducted|held hostage|sexually assaulted|followed(?: home)?|held (?:against my will|captive))|(?:someone|somebody|man|guy|he|intruder|burglar|stranger|they|ex|people)(?: is| are| was|s|re)*(?: trying to)? (?:breaking|break|broke|broken|in) (?:in|into|down)?(?: to)? ?(?:my|our|the) (?:house|home|flat|apartment|door|room|building|place)|(?:theres|there is) (?:an |a )?(?:intruder|burglar|shooter|active shooter|gunman|man with a (?:gun|knife))|(?:someone|somebody|burglar|intruder|stranger)s? (?:is )?(?:breaking in|in (?:my|our) (?:house|home|flat|apartment|garden|room))|(?:has|have|hes got|with|pulled|holding) (?:a|an|the) (?:gun|knife|machete|axe)(?! block| set| licen)|(?:afraid|scared|think|says|said) (?:that )?(?:he|she|they|hes|shes)(?: is| will|ll)? (?:going to |gonna )?kill(?:ing)? me',
    ],
  },
}
