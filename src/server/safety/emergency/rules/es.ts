import type { PhraseRules } from '../phrase-rules.ts'

const POISON =
  'lejia|detergente|jabon|desatascador|limpiador*|amoniaco|salfuman|cloro|anticongelante|gasolina|queroseno|aguarras|disolvente|pintura|acido|sosa|matarratas|raticida|veneno|pesticida*|insecticida*|herbicida|seta|setas|hongo*|bayas|planta|pastilla*|pildora*|medicament*|medicinas|somnifero*|paracetamol|ibuprofeno|antidepresivo*|ansioliticos|pila|pilas|iman*|nicotina|pegamento|quitaesmalte|liquido|alcohol|gel|capsula*|insulina|droga*|bote|caja|frasco|cajas|blister|producto*|limpieza'
const WHO =
  'yo|me|he|mi|mis|se|ha|hijo|hija|nino|nina|bebe|marido|mujer|esposo|esposa|madre|padre|mama|papa|hermano|hermana|amigo|amiga|abuelo|abuela|vecino|vecina|alguien|novio|novia|pareja|companer*|el|ella|senor*|hombre|persona|tio|tia|chico|chica|nuestro|nuestra|unos|todos|primo|prima'

export const ES: PhraseRules = {
  self_harm: [
    '!matarme|matarse|suicidarme|suicidarse|ahorcarme|ahorcarse|quitarme_la_vida|quitarse_la_vida|pegarme_un_tiro|acabar_con_mi_vida|acabar_con_todo|acabar_con_su_vida|terminar_con_mi_vida|hacerme_dano|cortarme_las_venas|me_voy_a_matar|se_va_a_matar|se_quiere_matar|me_mato_hoy|me_quiero_matar|poner_fin_a_mi_vida',
    '!no_quiero_vivir|no_quiero_seguir_viviendo|no_quiere_vivir|quiero_morir|quiero_morirme|quiere_morirse|ganas_de_morir|ganas_de_vivir_no|sin_ganas_de_vivir|no_tengo_ganas_de_vivir|no_quiero_despertar|mejor_muert*|mejor_sin_mi|carta_de_despedida|nota_de_despedida|mensaje_de_despedida|nota_de_suicidio|pensamientos_suicidas|ideas_suicidas|suicida|intento_de_suicidio|intentado_suicidarse|cansad*_de_vivir|desaparecer_para_siempre|no_vale_la_pena_vivir|no_tiene_sentido_vivir',
    'me_quiero_morir + noche|hoy|hacerlo|ya|ahora|vida|pastillas|no_puedo|aguanto|hacer|de_verdad',
    '!tirar*|saltar*|salta*|lanzar* + puente|balcon|ventana|azotea|tejado|tren|metro|vias|vacio|piso',
    '!esta|subid*|estoy|sentad*|subio + puente|azotea|tejado|cornisa|barandilla|vias|balcon + tirar*|salt*|llor*|despid*|ayuda|quiere|dice|vacio',
    '!cortando|corte|cortes|cortarme|me_corto|cortandome + me|brazos|venas|munecas|aguanto|no_paro|otra_vez',
    '!pastillas_delante|pastillas_preparadas|tengo_las_pastillas|la_soga|cuerda_al_cuello|pistola_en_la_cabeza|adios_a_todos|me_despido_de_todos|despedido_de_todos|nadie_me_echara_de_menos|se_ha_despedido',
    'no_aguanto_mas|no_puedo_mas + vivir|vida|morir|pastillas|cortando|adios|acabar|despedida|noche',
    '!se_quita_la_vida|quitarme_de_en_medio|quitarse_de_en_medio',
    '!mi_ultimo_dia + decid*|decision|adios|pastillas|vivo|viva',
    '!mejor_si_yo_no_existiera|si_yo_no_estuviera|mejor_sin_ella|no_quiero_existir',
    '!se_corta|se_esta_cortando|me_corte + brazos|venas|munecas|piernas',
    '!no_la_busquemos|no_lo_busquemos|no_me_busqueis|no_me_busquen + quiere|quiero|telefono|perdon*|contesta|adios',
  ],
  poisoning: [
    `!trag*|bebi*|bebe|bebido|tomo|tomado|tome|ingeri*|comi*|come|inhal*|respirado|chupado|tomando|ha_comido|sobredosis + ${POISON} + ${WHO}`,
    `!sobredosis|intoxic*|envenen* + ${WHO} + creo|esta|ha|hemos|he|mal|vomit*|tengo|tiene|por|con`,
    '!monoxido|olor_a_gas|huele_a_gas|fuga_de_gas|escape_de_gas + mareo*|maread*|cabeza|casa|piso|fuerte|cocina|ahora|mucho|alarma|todos',
    '!espuma_por_la_boca|echa_espuma|echando_espuma',
    '!bebi*|bebe|bebido|tragado|trago + friegasuelos|suavizante|lavavajillas|quitagrasas|aguafuerte|colonia|perfume',
    '!metido_en_la_boca|tragado|trago|comido + pila|pilas|iman*|moneda|veneno',
    '!mezcl* + lejia|amoniaco|salfuman + tos*|ahog*|mare*|ojos|garganta|respir*',
    '!metido|tomado|esnifado|fumado|pinchado + coca|cocaina|heroina|extasis|mdma|pastis|fentanilo + contesta|responde|demasiad*|despierta|mal|raro|rara',
    '!caldera|estufa|brasero|calentador + mare*|duele_la_cabeza|dolor_de_cabeza|vomit* + todos|nos|familia|ninos',
  ],
  acute_illness: [
    '!no_respira|no_puede_respirar|no_puedo_respirar|no_esta_respirando|deja_de_respirar|dejo_de_respirar|cuesta_respirar|respira_mal|falta_el_aire|le_falta_aire|me_falta_el_aire|se_ahoga|se_esta_ahogando|me_ahogo|atragant*|asfixi*|apenas_respira|respirar_bien',
    '!dolor_pecho|duele_pecho|duele_mucho_el_pecho|presion_pecho|opresion_pecho|pinchazo*_pecho|dolor_brazo_izquierdo|aprieta_pecho|dolor_en_el_pecho',
    `infarto|ictus|derrame|paro_cardiaco + creo|dando|esta_teniendo|ahora|ayuda|puede_ser|tiene_un|le_ha_dado + ${WHO}`,
    `!inconsciente|desmay*|perdido_el_conocimiento|perdio_el_conocimiento|no_responde|no_reacciona|no_despierta|no_se_despierta|no_se_mueve|sin_pulso|no_tiene_pulso|desplom*|se_ha_caido_redond* + ${WHO}`,
    '!convulsion*|convulsionando|ataque_epileptico|crisis_epileptica|temblando_entero + minutos|hijo|hija|bebe|para|esta|no|nino|nina|tiene|suelo',
    '!sangr*|hemorragia + mucho|mucha|para|cabeza|perdiendo|chorro|abundante|embarazada|vomit*|tosiendo|todo|parar|herida|profund*|pierde',
    '!boca_torcida|cara_torcida|media_cara|cara_paralizada|boca_desviada|habla_raro|no_puede_hablar|no_habla_bien|brazo_dormido|no_mueve_el_brazo|no_puede_mover|paralizad*|no_siente_el_brazo|se_le_cae_la_cara|lado_de_la_cara',
    '!anafila*|shock_alergico|alergi*|avispa*|abeja* + garganta|lengua|hincha*|respir*|choque|shock|cara|labios|anafila*',
    '!labios_azules|labios_morados|esta_azul|poniendo_azul|puesto_azul|esta_morad*|poniendose_morad*',
    'contracciones|roto_aguas|rompio_aguas|parto|dando_a_luz + minutos|ahora|sola|ya|ayuda|viene|coche|hospital|taxi',
    '!caido|cayo|atropell*|accidente|atrapad*|aplastad* + mueve|inconsciente|sangr*|respira|responde|cabeza|herid*|atrapad*|ayuda|metros|grave|cuello',
    '!ahog*|electrocut*|quemad*|quemado|agua_hirviendo|vibora|serpiente|golpe_de_calor|hipotermia + nino|nina|hijo|hija|bebe|respir*|ayuda|piscina|mano|cara|pierna|brazo|mordid*|piel|picado',
    'fiebre|diabetic*|bajon_de_azucar|asma|meningitis + inconsciente|convuls*|no_despierta|no_responde|inhalador|respir*|confus*|manchas|rigid*',
    '!incendio|se_esta_quemando|hay_fuego|casa_en_llamas|humo_por_todas_partes|edificio_en_llamas + ahora|atrapad*|ayuda|piso|casa|cocina|salir|ninos|dentro|edificio',
    '!puesto_morad*|puesto_azul|se_pone_morad*|se_puso_morad*|se_puso_azul',
    '!no_siente_las_piernas|no_siento_las_piernas|no_mueve_las_piernas',
  ],
  violence: [
    '!pegando|pega|golpea*|golpeando|estrangul*|viola*|violado|violada|agred*|agrediendo|amenaz*|apunal*|atac*|ahorcando|maltrata*|pegado|atracando|robando|dando_una_paliza|zarandea + me|nos|mi|madre|mama|mujer|vecina|alguien|hermana|la|lo|un|una + marido|pareja|ex|novio|padre|el|hombre|ahora|ayuda|tio|hermano|vecino|alguien|estan|esta|ha|han|padrastro|unos|calle',
    '!matarme|matarnos|me_va_a_matar|nos_va_a_matar|va_a_matarla|matar_a_mi|me_mata + el|marido|ex|pareja|novio|dice|amenaza|quiere|va|padre|hombre|dijo|ayuda',
    '!hombre|tipo|tio|alguien|chico|individuo|vecino|mujer|ex|senor|persona + pistola|cuchillo|navaja|arma|machete|hacha|armado|escopeta|bomba|rifle|armad* + con|hay|tiene|lleva|amenaz*|entrado|en|puerta|calle|dentro|apunta',
    '!tirando|rompiendo|golpeando|aporreando|dando_golpes|patadas|reventando + puerta|ventana + mi|ex|marido|alguien|el|ayuda|miedo|hombre|casa',
    '!disparos|tiroteo|estan_disparando|oigo_tiros|esta_disparando|rehen*|secuestr*|me_estan_robando|atraco|ladron*|han_entrado|alguien_ha_entrado|entrado_en_mi_casa|intrus* + ahora|ayuda|casa|dentro|instituto|calle|aqui|escond*|oigo|hay|centro|tienda|estoy|estan|mi',
    '!encerrad*|no_me_deja_salir|no_me_deja_ir|me_sigue|me_esta_siguiendo|me_persigue*|escondid*|temo_por_mi_vida|miedo_por_mi_vida|estoy_en_peligro|me_tiene_encerrada|retenid* + marido|pareja|ex|el|hombre|ayuda|novio|miedo|bano|alguien|peligro|padre|vida|casa',
    '!gritos|chillidos + matando|pegando|golpes|socorro|auxilio',
    '!alguien_intenta*|alguien_esta|estan_intentando|estan_tratando|hombre_intenta* + entrar_en_mi_casa|entrar_en_casa|forzar_la_puerta|entrar_a_mi_casa',
    '!me_siguen|nos_siguen|nos_sigue|me_vienen_siguiendo + hombre*|tio|tios|tipo|tipos',
    '!nos_ha_encerrado|me_ha_encerrado|nos_tiene_encerrad* + escopeta|pistola|cuchillo|arma|marido|padre|padrastro|ex|pareja|casa',
  ],
  never:
    'hay_cursos|cursos_de_primeros_auxilios|curso_de_primeros_auxilios|ordenador_no_responde|web_no_responde|estadistica*|cuantos_casos|cuantas_llamadas|numero_de|hace_anos|pelicula*|novela*|serie_de|juego_de|videojuego*|escape_room|expresion|jaja*|obra_de_teatro|en_que_sala|muero_de_ganas|muero_de_risa',
  unless:
    'subvencion*|estudio|investigacion|tesis|curso*|taller|formacion|seguro|indemnizacion|solicitud|solicitar|formulario|certificado|carnet|declarar|enlace|pagina|web|proceso|servidor|plazo|aparcamiento|horario*|archivo|museo|exposicion|prevencion|ley|pena|folleto|cartel|ano_pasado|pension|jubilacion|entradas|concierto|fiesta|festival|historia|asociaci*|factura|reembolso|normas|permitido|permiso|informe|charla|tramite|cola|movil|ordenador|bateria|aplicacion|applet|discapacidad|ayudas|cobertura|cubre|multa*|en_2*|en_1*',
  misspelt:
    'suicidarme suicidio matarme pastillas lejia respira inconsciente desmayado convulsiones sangrando cuchillo pistola pegando estrangulando intoxicado envenenado tragado bebido infarto ahogando secuestrado disparos amenaza detergente veneno',
}
